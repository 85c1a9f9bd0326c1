// Draws the pictures of the tutorial: `npm run pictures:tutorial [-- FOLDER]`, by default those of docs/images.
import { at } from "../../binder/lib/paths.mjs";
import { main } from "../../binder/lib/fail.mjs";
import { testModule } from "../bench/pages.mjs";

await main(async () => {
  const folder = process.argv[2] ?? at("docs", "images");
  const { tutorialPictures } = await testModule("tutorialPictures");
  await tutorialPictures(at("docs", "guides", "tutorial.md"), folder);
  console.log(folder);
});
