import DOMPurify from 'dompurify'
import { type FocusEvent, type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { Checkbox } from '../../checklist'
import { checkboxesIn } from '../../markdown'
import { htmlOf, type Rendering } from '../markdownHtml'

type Props = Omit<Rendering, 'tickable'> & {
  text: string
  onTick?: ((box: Checkbox) => void) | undefined
  onMention?: ((username: string) => void) | undefined
}

/** Falls back to the source if it cannot be rendered. */
export function Markdown({ text, mentions, reader, onTick, onMention }: Props) {
  const tickable = onTick !== undefined
  const html = useMemo(() => sanitised(text, { tickable, mentions, reader }), [text, tickable, mentions, reader])
  const kept = useKeptBox(html)
  if (html === null) return <PlainText text={text} />
  const onClick = (event: MouseEvent) => {
    const { box, link } = clicked(event)
    if (!box && !link) return
    event.preventDefault()
    const found = checkboxesIn(text).find(({ line }) => line === Number(box?.dataset.line))
    if (found) onTick?.({ ...found, done: !found.done })
    if (link) onMention?.(link.dataset.mention ?? '')
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only boxes and links in it are clicked
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div {...kept} onClick={onClick} dir="auto" className={LOOK} dangerouslySetInnerHTML={{ __html: html }} />
  )
}

function clicked({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
  const find = <Found extends HTMLElement>(what: string) => (target instanceof Element ? target.closest<Found>(what) : null)
  return {
    box: find<HTMLInputElement>('input'),
    link: ctrlKey || metaKey || shiftKey ? null : find<HTMLAnchorElement>('a[data-mention]'),
  }
}

const PlainText = ({ text }: { text: string }) => (
  <p dir="auto" className="whitespace-pre-wrap break-words">
    {text}
  </p>
)

/** The focused box is a new element after the text changes. */
function useKeptBox(html: string | null) {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef<HTMLElement | undefined>(undefined)
  useLayoutEffect(() => {
    const was = focused.current
    if (html === null || !was?.dataset.line || ref.current?.contains(was)) return
    const alike = [...(ref.current?.querySelectorAll('input') ?? [])].filter(({ ariaLabel }) => ariaLabel === was.ariaLabel)
    const box = alike.find(({ dataset }) => dataset.line === was.dataset.line) ?? alike[0]
    box?.focus({ preventScroll: true })
  }, [html])
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    focused.current = target
  }
  const onBlur = () => {
    focused.current = undefined
  }
  return { ref, onFocus, onBlur }
}

function sanitised(text: string, rendering: Rendering): string | null {
  const html = htmlOf(text, rendering)
  return html === null ? null : DOMPurify.sanitize(html, { ADD_ATTR: ['target'] })
}

const LOOK =
  'flex flex-col gap-2 text-pretty break-words [&>p]:[unicode-bidi:plaintext] [&_a]:underline [&_a]:underline-offset-4 [&_blockquote]:border-line [&_blockquote]:border-s-2 [&_blockquote]:ps-3 [&_blockquote]:text-quiet [&_code]:rounded-chip [&_code]:bg-column [&_code]:px-1 [&_code]:text-small [&_li.task]:py-0.5 [&_.task_:is(ul,ol)]:pt-0.5 [&_ul>li.task]:list-none [&_ul>li.task>input]:-ms-6 [&_ul>li.task>p>input]:-ms-6 [&_input]:me-2 [&_input]:inline-grid [&_input]:align-top [&_input]:mt-0.5 [&_[data-mention]]:rounded-chip [&_[data-mention]]:bg-column [&_[data-mention]]:px-0.5 [&_[data-mention]]:font-strong [&_[data-mention]]:[unicode-bidi:isolate] [&_[data-mention]]:no-underline [&_[data-mention]:hover]:underline [&_[data-own]]:bg-accent-soft [&_ol]:list-decimal [&_ol]:ps-5 [&_ul]:list-disc [&_ul]:ps-5 [&_ul:has(>.task)]:ps-6 [&_pre]:whitespace-pre-wrap [&_pre]:rounded-card [&_pre]:bg-column [&_pre]:p-3 [&_pre_code]:p-0 [&_td]:border-line [&_td]:border-b [&_td]:px-2 [&_td]:py-1 [&_th]:px-2 [&_th]:py-1 [&_th:not([align])]:text-start [&_th]:font-strong [&_hr]:border-line'
