import { type ReactElement, useEffect, useRef, useState } from "react";
import type { CaseService } from "../catalogue/caseService.ts";
import type { FirstPicture } from "../catalogue/firstPicture.ts";
import { drawFirstPicture } from "./drawFirstPicture.ts";
import type { PageTheme } from "../frame/themeChoice.ts";

/** What a first picture shows. */
export interface FirstPictureProps {
  service: CaseService;
  id: string;
  theme: PageTheme;
  /** Called when it is drawn, and when the server has none. */
  drawn?: () => void;
}

/**
 * The network of a served case coloured by its base prices, from the server's own data. Fetched once it comes into view; it is a
 * decoration, and stays empty where the server has no data for it.
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
