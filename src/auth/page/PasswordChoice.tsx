type Props = { keep: boolean | undefined; onChange(keep: boolean): void }

export const PasswordChoice = ({ keep, onChange }: Props) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="font-strong">The password of this account</legend>
    <p className="mt-1 text-pretty text-quiet">
      This email was not confirmed until now, so somebody else may have set the password.
    </p>
    <Choice chosen={keep === true} choose={() => onChange(true)} text="Right if you registered yourself.">
      Keep the password that was set
    </Choice>
    <Choice
      chosen={keep === false}
      choose={() => onChange(false)}
      text="Signs out every other browser. You can set a new password later."
    >
      Remove it
    </Choice>
  </fieldset>
)

type ChoiceProps = { chosen: boolean; choose(): void; text: string; children: string }

const Choice = ({ chosen, choose, text, children }: ChoiceProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-card p-3 ring-1 ring-edge ring-inset has-checked:ring-2 has-checked:ring-text">
    <input
      type="radio"
      name="password"
      required
      checked={chosen}
      onChange={choose}
      className="mt-0.5 size-4 shrink-0 accent-text"
    />
    <span className="flex flex-col">
      <span className="font-strong">{children}</span>
      <span className="text-pretty text-quiet text-small">{text}</span>
    </span>
  </label>
)
