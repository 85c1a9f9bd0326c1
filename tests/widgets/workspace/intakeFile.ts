import type { IntakeFile } from "@service/widgets/workspace";

export interface CountedFile extends IntakeFile {
  reads: number;
}

/** A file that counts how often it is read. */
export function file(name: string, content: string | Uint8Array, size?: number): CountedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    size: size ?? bytes.length,
    reads: 0,
    arrayBuffer() {
      this.reads += 1;
      return Promise.resolve(bytes.slice().buffer as ArrayBuffer);
    },
  };
}
