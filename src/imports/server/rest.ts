import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { boardImport, importedName, listedImport, plankaBoards } from '../schema'
import { importsRouter } from './router'

const { get, post, create, remove } = restCalls('imports', importsRouter)

export const importsRest = [
  get('/api/imports', 'list', "One's imports, the newest first", z.array(listedImport)),
  get('/api/imports/:importId', 'get', 'An import: what would come, or how far it is', boardImport),
  remove('/api/imports/:importId', 'cancel', 'Stop an import and delete it; a board that is done stays', success),
  post('/api/imports/:importId/start', 'start', 'Make a board of what was uploaded', boardImport),
  post(
    '/api/imports/:importId/reading',
    'reread',
    'Read the CSV of an import in another way: which column is what, what becomes of each status, its encoding',
    boardImport,
  ),
  post('/api/imports/planka/boards', 'plankaBoards', 'The boards that a Planka server shows to an API key', plankaBoards),
  create('/api/imports/planka', 'fromPlanka', 'Read a board from a Planka server, for an import', boardImport),
  get(
    '/api/boards/:boardId/imported-names',
    'names',
    'Names on a board without accounts: to its creator all, to others those about which they are asked',
    z.array(importedName),
  ),
  post(
    '/api/boards/:boardId/imported-names/:nameId/offer',
    'offerName',
    'Have a member asked whether an imported name is theirs, or nobody',
    success,
  ),
  post(
    '/api/boards/:boardId/imported-names/:nameId/answer',
    'answerName',
    'Say whether an imported name is yours; what bears it then becomes yours',
    success,
  ),
  post('/api/boards/:boardId/imported-names/decline', 'declineNames', 'Say that none of these names is yours', success),
]
