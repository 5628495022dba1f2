import { fileCount } from '../attachments/page/fileCount'
import { boardReducers } from '../boards/page/reducers'
import { commentCount } from '../comments/page/commentCount'
import { taskReducers } from '../tasks/page/reducers'
import { taskMinutes } from '../time/page/reducers'

export const snapshotReducers = [boardReducers, taskReducers, commentCount, fileCount, taskMinutes]
