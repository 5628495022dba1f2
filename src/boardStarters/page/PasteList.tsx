import { lazySchema } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { failureOf, useMakeFromList } from './cache'
import { ListPreview } from './ListPreview'

const useSchema = lazySchema(() => import('../schema').then((module) => module.listedBoard))

export function PasteList({ onDone }: { onDone(): void }) {
  const form = useForm(useDraft('pasted-list', { name: '', list: '' }), { schema: useSchema(), early: 'too long' })
  const leave = () => {
    form.discard()
    onDone()
  }
  const make = useMakeFromList(leave)
  return (
    <form onSubmit={form.submit((given) => make.mutate(given))} className="flex flex-col gap-4" noValidate>
      <Field label="Board Name" error={form.errors.name}>
        {(tied) => (
          <Input {...tied} {...form.text('name')} readOnly={make.isPending} placeholder="e.g. Moving house" autoComplete="off" />
        )}
      </Field>
      <Field
        label="List"
        error={form.errors.list}
        hint="A task in each line. “-”, “*”, “1.” and “[ ]” before it are left out; “[x]” goes to Done."
      >
        {(tied) => (
          <TextArea
            {...tied}
            {...form.text('list')}
            readOnly={make.isPending}
            rows={6}
            placeholder={'- [ ] Call the movers\n- [x] Give notice'}
          />
        )}
      </Field>
      <ListPreview list={form.values.list} />
      {make.isError && (
        <p role="alert" className="text-pretty text-danger">
          {failureOf(make.error)}
        </p>
      )}
      <DialogButtons>
        <Button onClick={leave} disabled={make.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={make.isPending} disabled={form.values.name.trim() === ''}>
          Create Board
        </Button>
      </DialogButtons>
    </form>
  )
}
