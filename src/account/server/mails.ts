import { ONE_BOARD_ON_FREE } from '../../billing/limits'
import { listText } from '../../format'
import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import { displayName, type UserSummary } from '../../users/schema'
import type { Received } from './deletion.store'

export function handedOverMail(
  from: UserSummary,
  { email, boards }: Pick<Received, 'email' | 'boards'>,
  onFree: boolean,
  origin: string,
): Mail {
  const [one, ...others] = boards
  const only = others.length === 0 ? one : undefined
  const names = listText(boards.map(({ name }) => `“${name}”`))
  return {
    to: email,
    ...renderMail({
      subject: only ? `The board “${only.name}” is now yours` : `${boards.length} boards are now yours`,
      paragraphs: [
        `${displayName(from)} deleted their account and handed ${names} over to you.`,
        `You can now rename, delete and manage ${only ? 'this board' : 'these boards'}. Tasks and hours are unchanged. What ${displayName(from)} added stays under “Former member”, except any comments and files they chose to delete.`,
        ...(onFree ? [ONE_BOARD_ON_FREE] : []),
      ],
      action: { label: only ? 'Open the board' : 'Open wrk', link: only ? `${origin}/board/${only.id}` : `${origin}/` },
    }),
  }
}
