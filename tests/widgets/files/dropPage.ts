// A drop zone for files within another one, like a map in the stand-alone page.
import { DropZone } from "@service/widgets/files";

const taken: string[] = [];
const [outer, inner] = [document.createElement("div"), document.createElement("div")];
[outer.id, inner.id] = ["outer", "inner"];
outer.append(inner);
document.body.append(outer);
for (const element of [outer, inner]) {
  new DropZone(element, (files) => taken.push(`${element.id}: ${files.map(({ name }) => name).join()}`));
}
Object.assign(window, { mapPage: { taken } });
