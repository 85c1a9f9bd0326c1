/** The style sheets of maps with the values of JupyterLab's variables, as one text: made by build.mjs. */
declare module "wattbook:styles" {
  const text: string;
  export default text;
}
