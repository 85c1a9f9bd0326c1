/** How a preview is computed: from the sensitivity column in the page, or on the exact path of the element. */
export type PreviewMode = "first_order" | "exact";
