import t from "tap";
import { setTranslation, trans, type Translation } from "@service/widgets/translation";
import { formatCount, loadingWords } from "@service/widgets/text";
import { pseudo, pseudoTranslation } from "../../fixtures/pseudo.ts";

t.test("without a translation texts are English, with their values", async (t) => {
  t.equal(trans.__("Line %1 binds at %2 MW", 17, "250.0"), "Line 17 binds at 250.0 MW");
  t.equal(trans.__("%2 before %1", "a", "b"), "b before a");
  t.equal(trans.__("80 % and %%1"), "80 % and %1");
  t.equal(trans.__("%1", "50 %1"), "50 %1", "a value is put in as it is");
  t.equal(trans._n("%2 bus", "%2 buses", 1, formatCount(1)), "1 bus");
  t.equal(trans._n("%2 bus", "%2 buses", 2000, formatCount(2000)), "2,000 buses");
  t.equal(trans._n("%1 row", "%1 rows", 0), "0 rows");
  t.equal(trans._p("search", "line"), "line");
});

t.test("a translation applies from the moment it is set", async (t) => {
  t.teardown(() => setTranslation(null));
  const contexts: string[] = [];
  const bundle: Translation = {
    ...pseudoTranslation,
    _p: (context, text) => {
      contexts.push(context);
      return text;
    },
  };
  t.equal(loadingWords(1, 3), "binds");
  setTranslation(bundle);
  t.equal(loadingWords(1, 3), pseudo("binds"));
  t.equal(trans._p("filter", "price"), "price");
  t.strictSame(contexts, ["filter"]);
  setTranslation(null);
  t.equal(loadingWords(1, 3), "binds");
});
