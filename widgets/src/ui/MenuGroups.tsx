import { type ReactElement, useState } from "react";

/** One item of a menu. */
export interface MenuItem {
  label: string;
  run(): void;
  /** Whether it is the chosen item of its group; undefined for items that are not choices. */
  checked?: boolean;
  /** Why it is disabled. */
  disabled?: string | null;
  /** Items of a submenu that it opens instead of running. */
  items?: readonly MenuItem[];
  /** Whether the reason is shown below the label instead of as a tooltip. */
  explains?: boolean;
}

/** Items that belong together, with or without a heading. */
export interface MenuGroup {
  title: string;
  items: MenuItem[];
}

/** Labels longer than this may be cut. */
const LONG = 36;

interface MenuGroupsProps {
  groups: readonly (MenuItem[] | MenuGroup)[];
  /** A heading of the whole menu. */
  title?: string | null;
  /** Called before an item runs. */
  done: () => void;
}

/** The items of a menu. */
export function MenuGroups({ groups, title = null, done }: MenuGroupsProps): ReactElement {
  const parts = groups.map((group) => (Array.isArray(group) ? { title: "", items: group } : group));
  return (
    <>
      {title !== null && <div className="wb-Menu-title">{title}</div>}
      {parts
        .filter(({ items }) => items.length > 0)
        .map(({ title: heading, items }, k) => (
          <div key={k} role="group" aria-label={heading === "" ? undefined : heading}>
            {heading !== "" && <div className="wb-Menu-title">{heading}</div>}
            <Items items={items} done={done} />
          </div>
        ))}
    </>
  );
}

function Items({ items, done }: { items: readonly MenuItem[]; done: () => void }): ReactElement {
  return (
    <>
      {items.map((item, k) =>
        item.items === undefined ? (
          <Item key={k} item={item} done={done} />
        ) : (
          <Submenu key={k} label={item.label} items={item.items} done={done} />
        ),
      )}
    </>
  );
}

/** An item with a submenu below it. */
function Submenu({
  label,
  items,
  done,
}: {
  label: string;
  items: readonly MenuItem[];
  done: () => void;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <button
        className="wb-Menu-item"
        type="button"
        role="menuitem"
        tabIndex={-1}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      <div className="wb-Menu-more" role="group" aria-label={label} hidden={!isOpen}>
        <Items items={items} done={done} />
      </div>
    </div>
  );
}

function Item({ item, done }: { item: MenuItem; done: () => void }): ReactElement {
  const { label, run, checked, disabled = null, explains = false } = item;
  return (
    <button
      className="wb-Menu-item"
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      tabIndex={-1}
      title={disabled ?? (label.length > LONG ? label : undefined)}
      aria-checked={checked}
      aria-disabled={disabled === null ? undefined : true}
      aria-description={disabled ?? undefined}
      onClick={() => {
        if (disabled === null) {
          done();
          run();
        }
      }}
    >
      {label}
      {disabled !== null && explains && (
        <span className="wb-Menu-why" aria-hidden="true">
          {disabled}
        </span>
      )}
    </button>
  );
}
