import { Navigate } from '@tanstack/react-router'
import { useSession } from '../users/page/viewer'
import { LoadFailed } from '../web/ui/Failure'

/** In place of the login page, which the server has to answer: the app opens there without a connection. */
export const Unreachable = () =>
  useSession() ? <Navigate to="/" replace /> : <LoadFailed retry={() => window.location.reload()} />
