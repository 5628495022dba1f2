import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import { htmlOf } from '../markdown'
import { PlainText } from './PlainText'

/** Falls back to the source where it cannot be rendered. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => sanitised(text), [text])
  if (html === null) return <PlainText text={text} />
  return <div dir="auto" className={LOOK} dangerouslySetInnerHTML={{ __html: html }} />
}

function sanitised(text: string): string | null {
  const html = htmlOf(text)
  return html === null ? null : DOMPurify.sanitize(html, { ADD_ATTR: ['target'] })
}

const LOOK =
  'flex flex-col gap-2 break-words [&_a]:underline [&_a]:underline-offset-4 [&_blockquote]:border-line [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-quiet [&_code]:rounded-[4px] [&_code]:bg-column [&_code]:px-1 [&_code]:text-small [&_li.task]:-ml-5 [&_li.task]:list-none [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5 [&_pre]:overflow-x-auto [&_pre]:rounded-card [&_pre]:bg-column [&_pre]:p-3 [&_pre_code]:p-0 [&_td]:border-line [&_td]:border-b [&_td]:px-2 [&_td]:py-1 [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_th]:font-strong [&_hr]:border-line'
