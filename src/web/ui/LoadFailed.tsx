import { Button } from './Button'

export const LoadFailed = ({ retry }: { retry(): void }) => (
  <section className="m-auto flex max-w-md flex-col items-center gap-4 px-6 py-24 text-center" role="alert">
    <p className="text-quiet">This could not be loaded. The server may be out of reach.</p>
    <Button onClick={retry}>Try again</Button>
  </section>
)
