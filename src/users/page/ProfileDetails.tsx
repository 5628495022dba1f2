import { displayName, type Profile } from '../schema'
import { Copyable } from './Copyable'

const LINK_CUT = 15
const EMAIL_CUT = 25

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}...` : text)

export function ProfileDetails({ person }: { person: Omit<Profile, 'id' | 'avatar'> }) {
  const { host, origin } = window.location
  return (
    <>
      <div className="flex flex-col gap-1 self-stretch">
        <h1 dir="auto" className="break-words font-strong text-title">
          {displayName(person)}
        </h1>
        <Copyable
          shown={`${host}/${cut(person.username, LINK_CUT)}`}
          text={`${origin}/${person.username}`}
          label="Copy the profile link"
          copied="Link Copied"
        />
        {person.email !== null && (
          <Copyable
            shown={cut(person.email, EMAIL_CUT)}
            text={person.email}
            label="Copy the email address"
            copied="Email Copied"
          />
        )}
        {person.email !== null && !person.emailVerified && <p className="text-quiet text-small">Email not confirmed yet</p>}
      </div>
      {person.description && (
        <p dir="auto" className="max-w-[60ch] self-stretch whitespace-pre-wrap break-words border-line border-t pt-6">
          {person.description}
        </p>
      )}
    </>
  )
}
