import { z } from 'zod'

// zod tries eval when schemas are made, which the security policy forbids, so this is imported first.
z.config({ jitless: true })
