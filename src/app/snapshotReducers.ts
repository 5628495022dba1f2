import { boardReducers } from '../boards/page/reducers'
import { commentCount } from '../comments/page/commentCount'
import { taskReducers } from '../tasks/page/reducers'
import { taskMinutes } from '../time/entries/page/taskMinutes'

/** What each domain's messages change in an open board. */
export const snapshotReducers = [boardReducers, taskReducers, commentCount, taskMinutes]
