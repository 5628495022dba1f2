/** The build names them in the HTML. */
const named = (): string[] => JSON.parse(document.getElementById('scripts')?.textContent || '[]')

/** Loads all of the page's scripts in advance, for the server may be away when they are needed. None runs before it is. */
export async function preloadScripts(): Promise<void> {
  for (const path of named()) await preload(path)
}

const preload = (href: string) =>
  new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      crossOrigin: '',
      fetchPriority: 'low',
      href,
    })
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
