import { startDownload } from '../../web/download'

export const exportBoard = (boardId: number): void => startDownload(`/api/boards/${boardId}/archive`)
