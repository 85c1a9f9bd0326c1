export { NetworkView } from "./networkView.ts";
