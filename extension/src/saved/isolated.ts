/** Stands for a name in a translated sentence, until {@link withName} puts it there. */
export const NAME = "\ue000";

/** A sentence with a name in the place of {@link NAME}: one that is read from right to left does not reorder what is around it. */
export function withName(text: string, name: string): Node[] {
  const parts = text.split(NAME);
  return parts.flatMap((part, place) => {
    if (place === 0) return [document.createTextNode(part)];
    const own = document.createElement("bdi");
    own.textContent = name;
    return [own, document.createTextNode(part)];
  });
}
