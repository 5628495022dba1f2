import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

/**
 * Somebody's Markdown: HTML in it is text, scripts in its links are dropped. Pictures of other sites are links, for the
 * page loads nothing from elsewhere; headings are strong lines, as they are not the page's own.
 */
export default function Markdown({ text }: { text: string }) {
  return (
    <div dir="auto" className={LOOK}>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={PARTS}>
        {text}
      </ReactMarkdown>
    </div>
  )
}

const LOOK =
  'flex flex-col gap-2 break-words [&_a]:underline [&_a]:underline-offset-4 [&_blockquote]:border-line [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-quiet [&_code]:rounded-[4px] [&_code]:bg-column [&_code]:px-1 [&_code]:text-small [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_ul]:pl-5 [&_ul.contains-task-list]:list-none [&_ul.contains-task-list]:pl-0 [&_pre]:overflow-x-auto [&_pre]:rounded-card [&_pre]:bg-column [&_pre]:p-3 [&_pre_code]:p-0 [&_td]:border-line [&_td]:border-b [&_td]:px-2 [&_td]:py-1 [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_th]:font-strong [&_hr]:border-line'

const heading: Components['p'] = ({ children }) => <p className="font-strong">{children}</p>

const PARTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer nofollow ugc">
      {alt || 'Picture'}
    </a>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'Done:' : 'To do:'} className="mr-1.5">
      {checked ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
}
