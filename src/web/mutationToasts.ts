import { faultIdOf, refusalOf } from './refusal'
import { type ToastText, toast } from './toast'

export type FailureText = ToastText | ((error: unknown) => ToastText | null)

export type MutationTexts<Answer = unknown, Variables = unknown> = {
  success?: ToastText | ((answer: Answer, variables: Variables) => ToastText | null)
  failure?: FailureText
}

let sessionEnded = () => false

/** Registers what to do when the server no longer knows the session; it returns false if nobody was signed in. */
export function onSessionEnd(leave: () => boolean): void {
  sessionEnded = leave
}

export const leadsAway = (error: unknown): boolean => refusalOf(error)?.code === 'UNAUTHORIZED' && sessionEnded()

export function tellSuccess<Answer, Variables>(
  texts: MutationTexts<Answer, Variables> | undefined,
  answer: Answer,
  variables: Variables,
): void {
  const text = typeof texts?.success === 'function' ? texts.success(answer, variables) : texts?.success
  if (text) toast({ variant: 'success', ...text })
}

export function tellRefusal(texts: Pick<MutationTexts, 'failure'> | undefined, error: unknown): void {
  console.warn('A change was refused', error)
  if (leadsAway(error)) return
  const text = refusalText(texts?.failure, error)
  if (text) toast({ variant: 'destructive', faultId: faultIdOf(error), ...text })
}

export function refusalText(failure: FailureText | undefined, error: unknown): ToastText | null {
  const text = failureText(failure, error)
  const wait = waitText(error)
  return wait || text ? { title: 'Please Wait', ...text, ...wait } : null
}

export const failureText = (failure: FailureText | undefined, error: unknown) =>
  typeof failure === 'function' ? failure(error) : failure

function waitText(error: unknown): { description: string } | null {
  const refusal = refusalOf(error)
  return refusal && WAIT.includes(refusal.code) ? { description: refusal.message } : null
}

const WAIT = ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE']
