//! Pictures as PDF: the content of the file, and refusals.

use flate2::read::ZlibDecoder;
use std::io::Read;
use wattbook_figure::pdf_of_svg;
use wattbook_network::EngineError;

/// A picture of 100 by 50 px.
fn picture(content: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">{content}</svg>"#)
}

fn pdf(content: &str) -> Vec<u8> {
    pdf_of_svg(&picture(content), 10.0).expect("a picture")
}

fn refusal(content: &str) -> EngineError {
    pdf_of_svg(&picture(content), 10.0).expect_err("refused")
}

/// The streams of a file, inflated.
fn streams(pdf: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = pdf;
    while let Some(at) = find(rest, b"\nstream\n") {
        rest = &rest[at + 8..];
        let mut bytes = Vec::new();
        ZlibDecoder::new(rest).read_to_end(&mut bytes).expect("deflated");
        found.push(bytes);
        rest = &rest[find(rest, b"\nendstream").expect("an end")..];
    }
    found
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// The operators that draw the picture, after its scale and miter limit, on one line.
fn drawn(content: &str) -> String {
    let first = streams(&pdf(content)).swap_remove(0);
    let text = String::from_utf8(first).expect("operators").replace('\n', " ");
    text.split_once(" 4 M ").expect("the head").1.trim().to_owned()
}

#[test]
fn a_page_has_the_size_of_the_picture_on_paper() {
    let text = String::from_utf8_lossy(&pdf("")).into_owned();
    // 10 cm by 5 cm, 72 points an inch.
    assert!(text.contains("/MediaBox [0 0 283.4646 141.7323]"), "{text}");
}

#[test]
fn shapes_are_drawn_as_such() {
    assert_eq!(
        drawn(r##"<rect x="1" y="2" width="50%" height="4" fill="#f00"/>"##),
        "q 1 0 0 rg 1 2 50 4 re f Q"
    );
    assert_eq!(
        drawn(r#"<path d="M1 2L3.5 4h2v-1Z" fill="none" stroke="navy" stroke-width="2" stroke-dasharray="5 3"/>"#),
        "q 0 0 0.502 RG 2 w 0 J 0 j [5 3] 0 d 1 2 m 3.5 4 l 5.5 4 l 5.5 3 l h S Q"
    );
    // A style overrides attributes, and a dot is a line that ends where it begins.
    assert_eq!(
        drawn(r##"<path d="M1 2h0" stroke="#000" stroke-linecap="round" style="stroke:#fff"/>"##),
        "q 0 0 0 rg 1 1 1 RG 1 w 1 J 0 j 1 2 m 1 2 l B Q"
    );
    // Opacities of groups multiply; those of areas and lines are two.
    let text = String::from_utf8_lossy(&pdf(
        r#"<g opacity="0.5"><rect width="9" height="9" stroke="red" fill-opacity="0.2"/></g>"#,
    ))
    .into_owned();
    assert!(text.contains("/ca 0.1") && text.contains("/CA 0.5"), "{text}");
}

#[test]
fn a_use_draws_a_group_in_its_own_look() {
    assert_eq!(
        drawn(r##"<use href="#a" stroke="#fff"/><g id="a"><rect width="2" height="2" fill="none"/></g>"##),
        "q q 1 1 1 RG 1 w 0 J 0 j 0 0 2 2 re S Q Q q q Q Q"
    );
}

#[test]
fn texts_are_placed_by_the_widths_of_the_font() {
    // In thousandths of the font size, Helvetica's A is 667 wide, its space 278.
    for (anchor, begin) in [
        ("start", 50.0),
        ("middle", 50.0 - 5.0 * 1.612),
        ("end", 50.0 - 10.0 * 1.612),
    ] {
        let text = drawn(&format!(
            r#"<text x="50" y="20" font-size="10" text-anchor="{anchor}">A A</text>"#
        ));
        let (before, _) = text.split_once(" 20 Tm").expect("a place");
        let x: f64 = before
            .rsplit(' ')
            .next()
            .and_then(|x| x.parse().ok())
            .expect("a number");
        assert!((x - begin).abs() < 0.01, "{anchor}: {x}");
    }
}

#[test]
fn fonts_are_embedded_with_their_letters() {
    let bytes = pdf("<text>Δλ ≤ ▲ Ж <tspan font-weight=\"600\">Łódź −3</tspan></text>");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    for name in ["+Arimo-Regular", "+Arimo-Bold"] {
        assert!(text.contains(name));
    }
    assert_eq!(text.matches("/FontFile2").count(), 2);
    assert_eq!(text.matches("/ToUnicode").count(), 2);
    assert!(bytes.len() < 20_000, "subsets: {} bytes", bytes.len());
    let maps: Vec<String> = streams(&bytes)
        .iter()
        .filter(|stream| find(stream, b"beginbfchar").is_some())
        .map(|stream| String::from_utf8_lossy(stream).into_owned())
        .collect();
    for letter in "Δλ≤▲ЖŁódź−3".chars() {
        let code = format!("<{:04X}>", u32::from(letter));
        assert!(maps.iter().any(|map| map.contains(&code)), "{letter}");
    }
    // Without texts there is no font.
    assert!(!String::from_utf8_lossy(&pdf("<rect width=\"1\" height=\"1\"/>")).contains("/FontFile2"));
}

#[test]
fn equal_pictures_give_equal_bytes() {
    let content = r#"<text x="3" y="9">Price</text><circle cx="5" cy="5" r="2" opacity="0.3"/>"#;
    assert_eq!(pdf(content), pdf(content));
}

#[test]
fn letters_and_colours_that_a_pdf_does_not_have_are_refused() {
    let error = refusal("<text>Osaka 電力</text>");
    assert_eq!(error.code, "ARGUMENT.CHOICE");
    assert_eq!(
        error.message(),
        "The fonts of a PDF have no “電”, as in “Osaka 電力”: save as .svg."
    );
    let error = refusal(r#"<rect width="1" height="1" fill="color-mix(in srgb, red, blue)"/>"#);
    assert_eq!(error.code, "ARGUMENT.CHOICE");
    // Marks of direction are not drawn.
    pdf("<text>\u{2068}Rivers\u{2069}</text>");
}

#[test]
fn what_is_not_in_our_pictures_is_refused() {
    let deep = format!("{}{}", "<g>".repeat(100), "</g>".repeat(100));
    let huge = format!("{}{}", "<g>".repeat(100_000), "</g>".repeat(100_000));
    for content in [
        "<ellipse/>",
        "<text><a>1</a></text>",
        "<rect width=\"1e99\"/>",
        "<rect width=\"NaN\"/>",
        "<path d=\"M1 2Lx\"/>",
        "<g transform=\"turn(3)\"/>",
        "<image href=\"https://example.org/a.png\"/>",
        "<image href=\"data:image/png;base64,AAAA\"/>",
        "<image href=\"data:image/png;base64,iVBORw0KGgo=\"/>",
        "<g id=\"a\"><use href=\"#a\"/></g>",
        "<circle r=\"1\" fill=\"url(#a)\"/>",
        "<svg viewBox=\"1 2 3 4\"/>",
        "<g>",
        &deep,
        &huge,
    ] {
        assert_eq!(
            refusal(content).code,
            "INPUT.SVG",
            "{}",
            content.get(..60).unwrap_or(content)
        );
    }
    for (svg, width) in [
        ("", 9.0),
        ("<a/>", 9.0),
        (&picture("") as &str, 0.0),
        (&picture(""), f64::NAN),
        (&picture(""), 1e9),
    ] {
        assert_eq!(pdf_of_svg(svg, width).expect_err("refused").code, "INPUT.SVG");
    }
}

/// One red and one half transparent blue pixel, written by Pillow.
const PIXELS: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8Dwn4HhfwMAD3oDfgvLLrEAAAAASUVORK5CYII=";

#[test]
fn images_are_pixels_with_a_mask() {
    let bytes = pdf(&format!(
        r#"<image width="4" height="2" href="data:image/png;base64,{PIXELS}"/>"#
    ));
    let found = streams(&bytes);
    assert!(found.contains(&vec![255, 0, 0, 0, 0, 255]), "the colours");
    assert!(found.contains(&vec![255, 128]), "the opacities");
}

/// Damaged pictures: each is drawn or refused with a code, and nothing panics.
#[test]
fn damaged_pictures_never_panic() {
    let sound = picture(&format!(
        r##"<defs><linearGradient id="s"><stop offset="0%" stop-color="#123456"/><stop offset="100%" stop-color="red"/></linearGradient></defs>
        <g transform="translate(3 4) rotate(-20) scale(1.5)" opacity="0.4"><rect x="1" y="2" width="30" height="9" rx="2" fill="url(#s)"/></g>
        <g id="b" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="5 3"><circle cx="5" cy="6" r="2.5"/><path d="M1 2L3 4Q5 6 7 8A2 2 0 0 1 9 9C1 1 2 2 3 3Z"/></g>
        <use href="#b" stroke="#000"/><svg x="1" y="2" width="50%" height="9" viewBox="0 0 9 9"><text x="1" y="2" style="font-size:11px;text-anchor:end" letter-spacing="1">Δ−<tspan font-weight="600">λ</tspan></text></svg>
        <image width="2" height="1" transform="matrix(1 0 0 1 5 5)" href="data:image/png;base64,{PIXELS}"/>"##
    ));
    pdf_of_svg(&sound, 8.8).expect("sound");
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let letters = b"0123456789.-+eE%#\"<>/ =MLZhvAQu()ABx";
    for _ in 0..2_000 {
        let mut bytes = sound.clone().into_bytes();
        for _ in 0..1 + below(4) {
            let at = below(bytes.len());
            match below(3) {
                0 => bytes[at] = letters[below(letters.len())],
                1 => bytes.insert(at, letters[below(letters.len())]),
                _ => {
                    let end = (at + below(12)).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
        }
        let Ok(svg) = String::from_utf8(bytes) else { continue };
        if let Err(error) = pdf_of_svg(&svg, 8.8) {
            assert!(["ARGUMENT.CHOICE", "INPUT.SVG"].contains(&error.code), "{}", error.code);
        }
    }
}
