/** Selects what lies over the page. */
export const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
