import { faultIdOf } from '../refusal'
import { Button } from './Button'
import { FaultId } from './FaultId'

export const LoadFailed = ({ retry, error }: { retry(): void; error?: unknown }) => (
  <section className="m-auto flex max-w-md flex-col items-center gap-4 px-6 py-24 text-center" role="alert">
    <p className="text-quiet">
      This could not be loaded. {faultIdOf(error) ? 'Something went wrong on our side.' : 'The server may be out of reach.'}
    </p>
    <FaultId error={error} />
    <Button onClick={retry}>Try again</Button>
  </section>
)
