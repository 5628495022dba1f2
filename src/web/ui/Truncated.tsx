import { Hint } from './Hint'

const HINT_AFTER = 300

export function Truncated({ text, max = 15 }: { text: string; max?: number }) {
  if (!text.trim()) return null
  const characters = [...text]
  if (characters.length <= max) return <span dir="auto">{text}</span>
  return (
    <Hint text={text} after={HINT_AFTER}>
      <span dir="auto">
        {characters
          .slice(0, max - 3)
          .join('')
          .trimEnd()}
        ...
      </span>
    </Hint>
  )
}
