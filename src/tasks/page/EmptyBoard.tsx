const KEY = 'rounded-[4px] bg-column px-1.5 font-sans text-small'

/** Stands where the filters are once there are tasks. */
export const EmptyBoard = ({ locked }: { locked: boolean }) => (
  <div className="min-h-10 px-4 pb-3 text-quiet sm:px-6">
    {!locked && (
      <p>
        <span className="pointer-coarse:hidden">
          Press <kbd className={KEY}>c</kbd> for the first task, <kbd className={KEY}>?</kbd> for all keys.
        </span>
        <span className="hidden pointer-coarse:inline">Add Task begins the first one.</span>
      </p>
    )}
    <p>Invite Members brings the others here.</p>
  </div>
)
