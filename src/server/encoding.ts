/** Whether a client takes a coding: it names it, and not to refuse it by the weight 0 (RFC 9110). */
export function takes({ headers }: Request, coding: 'br' | 'gzip'): boolean {
  const given = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return given.some((one) => {
    const [name, weight = ''] = one.split(';').map((part) => part.trim())
    return name === coding && !/^q\s*=\s*0(\.0*)?$/.test(weight)
  })
}
