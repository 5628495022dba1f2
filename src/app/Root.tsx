import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { authHandlers, leaveEndedSession, listenForLogout } from '../auth/page/cache'
import { forgetFormerUser, keepReturnUrl } from '../auth/page/returnUrl'
import { planHandlers, refetchPlan } from '../billing/page/cache'
import { boardListHandlers, boardsQuery } from '../boards/page/cache'
import { firstWeekday } from '../days'
import { lazy } from '../lazy'
import { userHandlers } from '../users/page/reducers'
import { confirmSession, sessionQuery } from '../users/page/viewer'
import { kindOf } from '../web/live/changeKinds'
import { receiveOwn, resume } from '../web/live/changeQueue'
import { EVERY_BOARD, liveKey, receive } from '../web/live/liveQuery'
import { changesAdopted, showRefused } from '../web/live/pendingChanges'
import { useReadAgain } from '../web/live/rereads'
import { connect, handle, listen, watchLive, whenLive } from '../web/live/socket'
import { forgetAnswers, keepAnswersOf } from '../web/live/storedAnswers'
import { adopt, isAnythingLeft, keepChangesOf, whenPagesGo } from '../web/live/storedChanges'
import { preloadScripts } from '../web/offlineScripts'
import { queryClient } from '../web/queryClient'
import { keepRecentOf } from '../web/recentlyOpened'
import { whenIdle } from '../web/scheduling'
import { FirstWeekday } from '../web/settings'
import { LoadFailed } from '../web/ui/Failure'
import { FullScreenSpinner } from '../web/ui/Spinner'
import { keepDraftsOf } from '../web/useDraft'
import { Shell } from './Shell'

const PUBLIC = new Set(['/', '/login', '/unsubscribe', '/invite', '/subscribe'])

export function Root() {
  const { data: user, error } = useQuery({ ...sessionQuery(), refetchInterval: HOUR })
  const { pathname } = useLocation()
  const inShell = useMatches({ select: (matches) => matches.at(-1)?.staticData.inShell })
  const signedIn = !!user
  const first = useRef<number>(undefined)
  const wasSignedIn = () => first.current !== undefined
  const away = user === null && (wasSignedIn() || !PUBLIC.has(pathname))
  const isAnother = !!user && wasSignedIn() && first.current !== user.id

  useEffect(() => {
    if (!away) return
    if (first.current !== undefined) return void leaveEndedSession(first.current)
    keepReturnUrl()
    window.location.replace('/login')
  }, [away])

  // Another user signed in from another tab, so nothing of the first may stay in memory.
  useEffect(() => {
    if (isAnother) window.location.reload()
  }, [isAnother])

  const userId = isAnother ? undefined : user?.id
  const { remembered = false, offlineUntil } = user ?? {}
  useEffect(() => {
    if (userId === undefined) return
    listenForLogout()
    const keeping = keepChangesOf(userId, remembered).catch(notAdopted)
    const adoptChanges = () =>
      void adoptLeft()
        .finally(() => changesAdopted.set(true))
        .then(() => whenPagesGo(adoptChanges))
        .catch(notAdopted)
    whenIdle(() => void keeping.then(adoptChanges))
    document.addEventListener('visibilitychange', adoptChanges)
    const stop = watchLive(adoptChanges)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', adoptChanges)
    }
  }, [userId, remembered])

  useEffect(() => {
    if (userId === undefined || offlineUntil === undefined) return
    const until = Date.parse(offlineUntil)
    keepRecentOf(userId, remembered, until)
    void (remembered ? keepAnswersOf(userId, until) : forgetAnswers()).catch(notKept)
    return onceOver(until)
  }, [userId, remembered, offlineUntil])

  // A signed-out user leaves nothing behind; one who was signed in until now goes to the login page.
  useEffect(() => {
    if (user === null && first.current === undefined) void forgetFormerUser()
  }, [user])

  useEffect(() => {
    if (!signedIn) return
    const stops = [
      listen(handle(authHandlers)),
      listen(handle(userHandlers)),
      listen(handle(planHandlers)),
      listen(handle(boardListHandlers)),
      listen(receiveOwn),
      listen(receive),
    ]
    connect(lookAgain)
    const signedOut = new AbortController()
    void whenLive((status) => status === 'open', signedOut.signal).then(readFirstAgain)
    whenIdle(() => void preloadScripts())
    return () => {
      for (const stop of stops) stop()
      signedOut.abort()
    }
  }, [signedIn])

  useReadAgain(readWhatChanged)

  if (user === undefined && error) return <LoadFailed retry={lookAgain} error={error} />
  if (user) {
    first.current ??= user.id
    if (!isAnother) keepDraftsOf(user.id)
  }
  if (user === undefined || away || isAnother) return <FullScreenSpinner />
  return (
    <FirstWeekday value={firstWeekday(user?.weekStartsOn, navigator.language)}>
      {user && inShell ? (
        <Shell>
          <Outlet />
        </Shell>
      ) : (
        <Outlet />
      )}
    </FirstWeekday>
  )
}

/** The kinds of changes are defined in the pages' code. */
const loadKinds = lazy(async () => {
  await Promise.allSettled([
    import('./dashboard/Dashboard'),
    import('./board/BoardPage'),
    import('./profile/ProfilePage'),
    import('../time/page/MyTimePage'),
    import('./board/TaskContents'),
  ])
})

async function adoptLeft() {
  if (!(await isAnythingLeft())) return
  await loadKinds()
  const { changes, refused } = await adopt((name) => kindOf(name) !== undefined)
  resume(changes)
  showRefused(refused)
}

const notAdopted = (error: unknown) => console.warn('Stored changes could not be read', error)
const notKept = (error: unknown) => console.warn('The browser cannot store answers', error)

const HOUR = 3_600_000
const MINUTE = 60_000

/** Offline, what is shown expires like what is stored. */
function onceOver(until: number): () => void {
  const look = () => {
    if (Date.now() >= until) void confirmSession()
  }
  const timer = setInterval(look, MINUTE)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

const lookAgain = () => void queryClient.invalidateQueries(sessionQuery())

/** The page's first data may be outdated, or the socket may belong to someone who signed in from another tab. */
async function readFirstAgain() {
  lookAgain()
  const listed = () => queryClient.getQueryData(boardsQuery().queryKey)
  const before = listed()
  await queryClient.invalidateQueries(boardsQuery())
  if (listed() !== before) await queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD) })
}

function readWhatChanged() {
  lookAgain()
  refetchPlan()
}
