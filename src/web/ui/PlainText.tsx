export const PlainText = ({ text }: { text: string }) => (
  <p dir="auto" className="whitespace-pre-wrap break-words">
    {text}
  </p>
)
