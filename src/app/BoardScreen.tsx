import { BoardPage } from '../boards/page/BoardPage'
import { BOARD_ID } from '../tasks/page/useKeyboardMove'
import { Shell } from './Shell'

export const BoardScreen = () => (
  <Shell skip={SKIP}>
    <BoardPage />
  </Shell>
)

const SKIP = { id: BOARD_ID, name: 'the board' }
