import { useViewer } from '../../auth/page/cache'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { testMail } from '../schema'
import { useOperate } from './cache'

export function TestMail() {
  const { email } = useViewer()
  const test = useOperate(
    (to: string) => client.operator.testMail.mutate({ to }),
    () => null,
  )
  const form = useForm(useFields({ to: email }), { schema: testMail })
  return (
    <form
      noValidate
      className="flex max-w-sm flex-col gap-3"
      onSubmit={form.submit(({ to }) =>
        test.mutateAsync(to).then(
          () => {},
          () => {},
        ),
      )}
    >
      <Field label="Send one to" error={form.errors.to}>
        {(tied) => <Input {...tied} {...form.text('to')} type="email" autoComplete="off" />}
      </Field>
      <Button type="submit" className="self-start" busy={test.isPending}>
        Send a Test Mail
      </Button>
      <p role="status" className={`wrap-anywhere empty:hidden ${test.data?.sent === false ? 'text-danger' : 'text-quiet'}`}>
        {test.data && !test.isPending && `${test.data.sent ? 'Sent' : 'Not sent'}. ${test.data.answer}`}
      </p>
    </form>
  )
}
