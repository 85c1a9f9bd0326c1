//! XML as a sequence of the elements within its root: no document types, no entities of its own, limited depth.

use std::borrow::Cow;

use quick_xml::errors::SyntaxError;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::attributes::Attributes;
use quick_xml::events::Event;
use quick_xml::{Error, Reader};

use crate::error::{EngineError, Result};
use crate::message;

/// Deepest nesting that is read.
const DEEPEST: usize = 32;

/// An element with its attributes and its children; names without prefixes.
#[derive(Debug, Default)]
pub(super) struct Element<'a> {
    pub name: &'a str,
    pub line: usize,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    pub children: Vec<Element<'a>>,
    /// Character data, without blanks at both ends.
    pub text: Cow<'a, str>,
}

impl<'a> Element<'a> {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        attributes.find(|(own, _)| *own == name).map(|(_, value)| &**value)
    }

    pub fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// A document that is read element by element.
pub(super) struct Document<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// The last position whose line is known.
    counted: (usize, usize),
    is_empty: bool,
    pub root: Element<'a>,
    /// The namespace of the root's name.
    pub namespace: Cow<'a, str>,
}

impl<'a> Document<'a> {
    /// Reads up to the start of the root.
    ///
    /// # Errors
    /// `INPUT.PARSE` for a text that is not well-formed XML, and for document types; `INPUT.TRUNCATED`.
    pub fn open(text: &'a str) -> Result<Self> {
        let mut document = Self {
            text,
            reader: Reader::from_str(text),
            counted: (0, 1),
            is_empty: false,
            root: Element::default(),
            namespace: Cow::Borrowed(""),
        };
        loop {
            let start = document.position();
            match document.event()? {
                Event::Start(_) => break document.begin(start)?,
                Event::Empty(_) => {
                    document.is_empty = true;
                    break document.begin(start)?;
                }
                Event::Eof => return Err(document.malformed(start, "no element")),
                Event::Text(found) if !found.iter().all(u8::is_ascii_whitespace) => {
                    return Err(document.malformed(start, "text before the first element"));
                }
                _ => {}
            }
        }
        if document.is_empty {
            document.close()?;
        }
        Ok(document)
    }

    /// Names the root and its namespace.
    fn begin(&mut self, start: usize) -> Result<()> {
        let (qualified, root) = self.element(start)?;
        let prefix = qualified
            .strip_suffix(root.name)
            .unwrap_or_default()
            .trim_end_matches(':');
        let wanted = match prefix {
            "" => Cow::Borrowed("xmlns"),
            prefix => Cow::Owned(format!("xmlns:{prefix}")),
        };
        let declared = root.attributes.iter().find(|(name, _)| *name == wanted);
        self.namespace = declared.map_or(Cow::Borrowed(""), |(_, value)| value.clone());
        self.root = root;
        Ok(())
    }

    /// The next element within the root, with those of its descendants that `keep` accepts by name.
    ///
    /// # Errors
    /// As [`Document::open`].
    pub fn next(&mut self, keep: fn(&str) -> bool) -> Result<Option<Element<'a>>> {
        if self.is_empty {
            return Ok(None);
        }
        let mut open: Vec<Element<'a>> = Vec::new();
        loop {
            let start = self.position();
            let ended = match self.event()? {
                Event::Start(_) => {
                    if open.len() + 1 == DEEPEST {
                        let line = self.line(start);
                        return Err(EngineError::new("INPUT.PARSE", message!("xml.deep", line = line)));
                    }
                    let element = self.element(start)?.1;
                    open.push(element);
                    continue;
                }
                Event::Empty(_) => self.element(start)?.1,
                Event::End(_) => match open.pop() {
                    Some(mut element) => {
                        element.text = match element.text {
                            Cow::Borrowed(text) => Cow::Borrowed(text.trim_end()),
                            Cow::Owned(text) => Cow::Owned(text.trim_end().to_string()),
                        };
                        element
                    }
                    None => {
                        self.is_empty = true;
                        return self.close();
                    }
                },
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    if let Some(element) = open.last_mut() {
                        append(&mut element.text, &self.text[start..self.position()])
                            .map_err(|cause| self.malformed(start, cause))?;
                    }
                    continue;
                }
                Event::Eof => return Err(truncated()),
                _ => continue,
            };
            match open.last_mut() {
                Some(parent) if keep(ended.name) => parent.children.push(ended),
                Some(_) => {}
                None => return Ok(Some(ended)),
            }
        }
    }

    /// Reads up to the end of the text, where nothing may follow the root.
    fn close(&mut self) -> Result<Option<Element<'a>>> {
        loop {
            let start = self.position();
            match self.event()? {
                Event::Eof => return Ok(None),
                Event::Text(found) if found.iter().all(u8::is_ascii_whitespace) => {}
                Event::Comment(_) | Event::PI(_) => {}
                _ => return Err(self.malformed(start, "content behind the root element")),
            }
        }
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn event(&mut self) -> Result<Event<'a>> {
        let start = self.position();
        match self.reader.read_event() {
            Ok(Event::DocType(_)) => {
                let message = message!("xml.doctype", line = self.line(start));
                Err(EngineError::new("INPUT.PARSE", message))
            }
            Ok(event) => Ok(event),
            Err(Error::Syntax(cause)) if !matches!(cause, SyntaxError::InvalidBangMarkup) => Err(truncated()),
            Err(cause) => {
                let at = usize::try_from(self.reader.error_position()).unwrap_or(start);
                Err(self.malformed(at, cause))
            }
        }
    }

    /// The qualified name and the element of the tag that begins at a position and has just been read.
    fn element(&mut self, start: usize) -> Result<(&'a str, Element<'a>)> {
        let tag = &self.text[start..self.position()];
        let tag = tag
            .strip_prefix('<')
            .and_then(|tag| tag.strip_suffix('>'))
            .unwrap_or(tag);
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let end = tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tag.len());
        let qualified = &tag[..end];
        let mut element = Element {
            name: qualified.rsplit(':').next().unwrap_or(qualified),
            line: self.line(start),
            ..Element::default()
        };
        for attribute in Attributes::new(tag, end) {
            let attribute = attribute.map_err(|cause| self.malformed(start, cause))?;
            let (Cow::Borrowed(value), Ok(name)) = (&attribute.value, std::str::from_utf8(attribute.key.into_inner()))
            else {
                return Err(self.malformed(start, "attribute"));
            };
            let value = std::str::from_utf8(value).map_err(|cause| self.malformed(start, cause))?;
            let value = unescape(value).map_err(|cause| self.malformed(start, cause))?;
            let name = match name.split_once(':') {
                Some((prefix, local)) if prefix != "xmlns" => local,
                _ => name,
            };
            element.attributes.push((name, value));
        }
        Ok((qualified, element))
    }

    /// The line of a position behind those of earlier calls, counted from 1.
    fn line(&mut self, position: usize) -> usize {
        let (from, line) = self.counted;
        if let Some(between) = self.text.as_bytes().get(from..position) {
            self.counted = (position, line + between.iter().filter(|byte| **byte == b'\n').count());
        }
        self.counted.1
    }

    fn malformed(&mut self, position: usize, cause: impl std::fmt::Display) -> EngineError {
        let line = self.line(position);
        let message = message!("xml.malformed", line = line, cause = cause.to_string());
        EngineError::new("INPUT.PARSE", message)
    }
}

fn truncated() -> EngineError {
    EngineError::new("INPUT.TRUNCATED", message!("xml.cut"))
}

/// Appends character data, a section of it, or a reference.
fn append<'a>(text: &mut Cow<'a, str>, found: &'a str) -> std::result::Result<(), String> {
    if let Some(data) = found
        .strip_prefix("<![CDATA[")
        .and_then(|rest| rest.strip_suffix("]]>"))
    {
        text.to_mut().push_str(data);
        return Ok(());
    }
    let reference = found.strip_prefix('&').and_then(|rest| rest.strip_suffix(';'));
    if let Some(name) = reference {
        match resolve_predefined_entity(name) {
            Some(character) => text.to_mut().push_str(character),
            None => text
                .to_mut()
                .push_str(&unescape(found).map_err(|cause| cause.to_string())?),
        }
        return Ok(());
    }
    match text.is_empty() {
        true => *text = Cow::Borrowed(found.trim_start()),
        false => text.to_mut().push_str(found),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Document;

    /// Name, line and text of the elements, or the code and sentence of the refusal.
    type Read = Result<Vec<(String, usize, String)>, (&'static str, String)>;

    fn names(text: &str) -> Read {
        let mut document = Document::open(text).map_err(|e| (e.code, e.message()))?;
        let mut out = Vec::new();
        while let Some(element) = document.next(|_| true).map_err(|e| (e.code, e.message()))? {
            out.push((element.name.to_string(), element.line, element.text.to_string()));
        }
        Ok(out)
    }

    #[test]
    fn elements_have_local_names_lines_and_text() {
        let text = "<?xml version='1.0'?>\n<!-- a -->\n<n:r xmlns:n='u'>\n<n:a x='1 &lt; 2'/>\n<b>1 &amp; <![CDATA[<]]></b></n:r>\n";
        let owned = |name: &str, line, text: &str| (name.to_string(), line, text.to_string());
        assert_eq!(names(text), Ok(vec![owned("a", 4, ""), owned("b", 5, "1 & <")]));
        let mut document = Document::open(text).expect("a document");
        assert_eq!((document.root.name, &*document.namespace), ("r", "u"));
        let first = document.next(|_| true).expect("read").expect("an element");
        assert_eq!((first.attribute("x"), first.attribute("y")), (Some("1 < 2"), None));
    }

    #[test]
    fn what_is_no_such_document_is_refused() {
        for (text, code) in [
            ("<!DOCTYPE r [<!ENTITY a 'b'>]><r/>", "INPUT.PARSE"),
            ("<r><a></b></r>", "INPUT.PARSE"),
            ("<r><a x=1/></r>", "INPUT.PARSE"),
            ("<r><a x='&b;'/></r>", "INPUT.PARSE"),
            ("<r/><r/>", "INPUT.PARSE"),
            ("text", "INPUT.PARSE"),
            ("<r><a>", "INPUT.TRUNCATED"),
            ("<r><a x='1", "INPUT.TRUNCATED"),
        ] {
            assert_eq!(names(text).expect_err(text).0, code, "{text}");
        }
        let deep = format!("<r>{}{}</r>", "<a>".repeat(40), "</a>".repeat(40));
        assert_eq!(names(&deep).expect_err("deep").0, "INPUT.PARSE");
    }
}
