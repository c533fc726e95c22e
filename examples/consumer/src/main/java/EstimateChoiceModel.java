import dev.revealed.api.ChoiceEstimation;
import dev.revealed.api.Estimates;
import java.nio.file.Path;

/** A dynamic discrete-choice model on a panel: Rust's buses, built in, or a YAML file in its place. */
public class EstimateChoiceModel {
    public static void main(String[] args) {
        ChoiceEstimation buses = ChoiceEstimation.of("rust-bus").panel(Path.of("buses.csv"));
        Estimates estimates = buses.method("nfxp").standardErrors("cluster").estimate();
        System.out.println(estimates);
        System.out.println("A new engine costs " + estimates.coefficient("RC").value());
    }
}
