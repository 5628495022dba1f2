/** What Pro costs (product.md, section 9). */
export const PRO_PRICE = '$10 CAD'
