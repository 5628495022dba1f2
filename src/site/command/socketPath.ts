import { join } from 'node:path'

export const folderIn = (dataDir: string) => join(dataDir, 'command')
export const socketIn = (dataDir: string) => join(folderIn(dataDir), 'socket')
