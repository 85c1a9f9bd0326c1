/** Placeholder for a name in a translated sentence, replaced by {@link withName}. */
export const NAME = "\ue000";

/**
 * A sentence with a name in place of {@link NAME}, isolated so that a right-to-left name does not reorder the text
 * around it.
 */
export function withName(text: string, name: string): Node[] {
  const parts = text.split(NAME);
  return parts.flatMap((part, place) => {
    if (place === 0) return [document.createTextNode(part)];
    const own = document.createElement("bdi");
    own.textContent = name;
    return [own, document.createTextNode(part)];
  });
}
