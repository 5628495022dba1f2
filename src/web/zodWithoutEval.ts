import { z } from 'zod'

// zod would try eval to see whether it may compile its checks, which the page's security policy forbids.
// Imported first: schemas ask as they are made.
z.config({ jitless: true })
