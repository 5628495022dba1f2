import { dateTimeText } from '../../tasks/page/display'
import type { OperatorAct } from '../schema'

const DID: Record<OperatorAct['did'], string> = {
  made_link: 'made a link that signs in once and sets a new password.',
  link_used: 'made the link that somebody signed in with.',
  changed_email: 'changed your email.',
  email_used: 'gave your account an email, and somebody signed in with it.',
  proved_email: 'confirmed your email.',
}

const operatorText = ({ by }: Pick<OperatorAct, 'by'>) =>
  by === null ? 'somebody with access to the server' : `${by}, an operator,`

export const startedBy = (act: OperatorAct) =>
  act.did === 'email_used'
    ? `Signed in by the email that ${operatorText(act)} gave your account`
    : `Signed in with a link that ${operatorText(act)} made`

/** What operators did to the account, which nobody but time removes. */
export const OperatorActs = ({ acts }: { acts: OperatorAct[] }) => (
  <ul className="flex flex-col gap-3">
    {acts.map((act) => (
      <li key={act.id}>
        <p className={`wrap-anywhere ${act.by === null ? 'first-letter:uppercase' : ''}`}>
          {operatorText(act)} {DID[act.did]}
        </p>
        <p className="tabular text-quiet text-small">{dateTimeText(act.createdAt)}</p>
      </li>
    ))}
  </ul>
)
