import { type ReactElement, useState } from "react";
import { parseNumber, trans } from "../../text/index.ts";
import { Box, Choice, Row, Submit, TextEntry } from "../../ui/Fields.tsx";
import type { PictureFormat } from "../svg/savePicture.ts";
import type { MapForm } from "./mapDialog.tsx";

/** Options of a figure. */
export interface Figure {
  readonly format: PictureFormat;
  /** Width on paper, cm. */
  readonly widthCm: number;
  /** Pixels per inch of a PNG. */
  readonly dpi: number;
  /** Whether the caption is above the picture. */
  readonly caption: boolean;
  /** Whether it is cropped to the network, with the legend below. */
  readonly crop: boolean;
}

const FORMATS: readonly PictureFormat[] = ["svg", "pdf", "png"];

/** A figure of page width at print resolution. */
const USUAL_FIGURE: Figure = { format: "svg", widthCm: 16, dpi: 300, caption: true, crop: false };
/** Valid ranges. */
const LIMITS = { widthCm: [2, 100], dpi: [50, 1200] } as const;
/** Largest side of a PNG that all browsers can make, pixels. */
const MOST_PIXELS = 12_000;

/** Asks for the size and options of a figure, and saves it; the options are remembered for the next one. */
export function figureForm(save: (figure: Figure) => void): MapForm {
  let last = USUAL_FIGURE;
  const taken = (figure: Figure): void => {
    last = figure;
    save(figure);
  };
  return {
    title: trans.__("Save figure"),
    draw: (close) => <FigureForm figure={last} save={taken} close={close} />,
  };
}

interface FigureFormProps {
  figure: Figure;
  save: (figure: Figure) => void;
  close: () => void;
}

function FigureForm({ figure, save, close }: FigureFormProps): ReactElement {
  const [format, setFormat] = useState(figure.format);
  const [width, setWidth] = useState(String(figure.widthCm));
  const [dpi, setDpi] = useState(String(figure.dpi));
  const [caption, setCaption] = useState(figure.caption);
  const [crop, setCrop] = useState(figure.crop);
  const [problem, setProblem] = useState("");
  const onSave = (): void => {
    const found = figureOf({ format, width, dpi, caption, crop });
    if (typeof found === "string") {
      setProblem(found);
    } else {
      close();
      save(found);
    }
  };
  return (
    <>
      <Choice<PictureFormat>
        label={trans.__("Format")}
        all={FORMATS}
        chosen={format}
        words={formatLabel}
        take={setFormat}
      />
      <Row label={trans.__("Width, cm")}>
        <TextEntry isNumber label={trans.__("Width, cm")} text={width} take={setWidth} />
      </Row>
      <Row label={trans.__("Resolution, dpi")}>
        <TextEntry isNumber label={trans.__("Resolution, dpi")} text={dpi} take={setDpi} disabled={format !== "png"} />
      </Row>
      <Box label={trans.__("Caption above the picture")} on={caption} take={setCaption} />
      <Box label={trans.__("Crop to the network, legend below")} on={crop} take={setCrop} />
      <Submit label={trans.__("Save")} problem={problem} submit={onSave} />
    </>
  );
}

/** The entered figure, or a sentence on what is invalid. */
export function figureOf(entered: {
  format: PictureFormat;
  width: string;
  dpi: string;
  caption: boolean;
  crop: boolean;
}): Figure | string {
  const { format, caption, crop } = entered;
  const [widthCm, dpi] = [parseNumber(entered.width), parseNumber(entered.dpi)];
  const within = (value: number | null, [least, most]: readonly [number, number]): value is number =>
    value !== null && value >= least && value <= most;
  if (!within(widthCm, LIMITS.widthCm)) {
    return trans.__("The width is from %1 to %2 cm.", ...LIMITS.widthCm);
  }
  if (format !== "png") {
    return { format, widthCm, dpi: USUAL_FIGURE.dpi, caption, crop };
  }
  if (!within(dpi, LIMITS.dpi)) {
    return trans.__("The resolution is from %1 to %2 dpi.", ...LIMITS.dpi);
  }
  if ((widthCm / 2.54) * dpi > MOST_PIXELS) {
    return trans.__("That is more than %1 pixels; choose a smaller width or resolution.", MOST_PIXELS);
  }
  return { format, widthCm, dpi, caption, crop };
}

function formatLabel(format: PictureFormat): string {
  switch (format) {
    case "svg":
      return trans.__("SVG, vector");
    case "pdf":
      return trans.__("PDF, vector");
    case "png":
      return trans.__("PNG, pixels");
  }
}
