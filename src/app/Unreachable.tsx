import { Navigate } from '@tanstack/react-router'
import { useSession } from '../auth/page/cache'
import { LoadFailed } from '../web/ui/LoadFailed'

/** In place of the pages on which one signs in, which the server has to answer: the app opens there without a connection. */
export const Unreachable = () => <LoadFailed retry={() => window.location.reload()} />

export const LoginUnreachable = () => (useSession() ? <Navigate to="/" replace /> : <Unreachable />)
