export const PANEL = 'h-full min-w-0 overflow-y-auto overscroll-contain px-6 pt-1 pb-6'
