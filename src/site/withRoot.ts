const ROOT = /<div id="root">.*<\/div>(?=\s*<\/body>)/s

/** The page with something else in the element that React renders into. */
export const withRoot = (html: string, content: string): string => html.replace(ROOT, () => `<div id="root">${content}</div>`)
