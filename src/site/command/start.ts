/** The server reads its options itself. */
export const here = async () => (await import('../../main')).main()
