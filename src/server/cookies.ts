/** By hand: readers of cookies throw at a percent sign in any of them. */
export const cookieIn = (request: Request, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(request.headers.get('cookie') ?? '')?.[1]
