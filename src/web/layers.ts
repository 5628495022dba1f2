/** Selects what lies over the page. */
export const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** As above, and what says that such a layer opens. */
export const LAYERS_AND_OPENING = `${LAYERS}, [data-opening]`
