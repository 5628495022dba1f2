import type { Config } from '../../config'
import type { Database } from '../../db/database'

/** What an archive is made of: the rows, and the files where the configuration says that they are. */
export type Source = { config: Config; database: Database }
