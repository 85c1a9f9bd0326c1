export { layoutNetwork, type Positions } from "./layout.ts";
