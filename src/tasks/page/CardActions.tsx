import type { ComponentProps } from 'react'
import { SelectionBar } from './SelectionBar'
import { TitleOnCard } from './TitleOnCard'

type Props = {
  bar: ComponentProps<typeof SelectionBar> | undefined
  title: ComponentProps<typeof TitleOnCard> | undefined
}

/** What can be done on the cards themselves: it loads once the board is drawn. */
export const CardActions = ({ bar, title }: Props) => (
  <>
    {bar && <SelectionBar {...bar} />}
    {title && <TitleOnCard key={title.task.id} {...title} />}
  </>
)
