import { type ReactElement, useEffect, useRef, useState } from "react";
import type { CaseService } from "../catalogue/caseService.ts";
import type { FirstPicture } from "../catalogue/firstPicture.ts";
import { drawFirstPicture } from "./drawFirstPicture.ts";
import type { PageTheme } from "../frame/themeChoice.ts";

/** Properties of the first picture. */
export interface FirstPictureProps {
  service: CaseService;
  id: string;
  theme: PageTheme;
  /** Called when the picture is drawn, or when the server has no data for it. */
  drawn?: () => void;
}

/**
 * The network of a served case coloured by its base prices, from the server's data. Fetched when it scrolls into view.
 * It is decorative, and stays empty if the server has no data.
 */
export function FirstPictureView({ service, id, theme, drawn }: FirstPictureProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<FirstPicture | null>(null);
  useEffect(() => {
    const element = canvas.current;
    const abort = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        service.firstPicture(id, abort.signal).then(setPicture, () => drawn?.());
      }
    });
    if (element !== null) {
      observer.observe(element);
    }
    return () => {
      observer.disconnect();
      abort.abort();
    };
  }, [service, id, drawn]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || picture === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => {
      drawFirstPicture(element, picture, theme.startsWith("dark"));
      element.dataset["drawn"] = "true";
      drawn?.();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [picture, theme, drawn]);
  return <canvas ref={canvas} className="wb-Page-picture" aria-hidden="true" />;
}
